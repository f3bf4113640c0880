package org.starlingqcd.backend.cuda;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.GpuPlatform;
import org.starlingqcd.backend.gpu.GpuProvider;

/** The backend {@code cuda}: NVIDIA GPUs. */
public final class CudaProvider extends GpuProvider {
  private static final int PRIORITY = 20;

  private final CudaInstallation installation;
  private @Nullable GpuPlatform platform;

  /** The provider that looks for CUDA where it usually is. */
  public CudaProvider() {
    this(CudaInstallation.of(System::getProperty, System::getenv, Path.of("/usr/local")));
  }

  /** A provider that looks for CUDA's libraries here. */
  CudaProvider(CudaInstallation installation) {
    super("CUDA");
    this.installation = installation;
  }

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  protected synchronized GpuPlatform load() {
    GpuPlatform loaded = platform;
    if (loaded == null) {
      loaded = CudaPlatform.load(installation);
      platform = loaded;
    }
    return loaded;
  }
}

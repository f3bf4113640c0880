package org.starlingqcd.backend.cuda;

import java.nio.file.Path;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** The backend {@code cuda}: NVIDIA GPUs. */
public final class CudaProvider extends GpuProvider {
  private static final int PRIORITY = 20;

  private final CudaInstallation installation;

  /** Creates a provider that looks for CUDA in the usual places. */
  public CudaProvider() {
    this(CudaInstallation.of(System::getProperty, System::getenv, Path.of("/usr/local")));
  }

  /** Creates a provider that looks for CUDA's libraries in the given folders. */
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
  protected GpuPlatform load() {
    return CudaPlatform.load(installation);
  }
}

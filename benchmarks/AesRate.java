import java.nio.ByteBuffer;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The rate of AES-256-GCM of this Java on one core, in parts of 64 KiB as the block cache encrypts
 * them, for each sixteenth of so many MiB: {@code java [JVM options] benchmarks/AesRate.java MIB}.
 */
public final class AesRate {
  private static final int PART = 1 << 16;

  public static void main(String[] arguments) throws Exception {
    int parts = Integer.parseInt(arguments[0]) * 16;
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    SecretKeySpec key = new SecretKeySpec(new byte[32], "AES");
    byte[] plain = new byte[PART];
    byte[] secret = new byte[PART + 16];
    long start = System.nanoTime();
    for (int part = 1; part <= parts; part++) {
      byte[] nonce = ByteBuffer.allocate(12).putInt(part).array();
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
      cipher.doFinal(plain, 0, PART, secret);
      if (part % (parts / 16) == 0) {
        double rate = (double) PART * (parts / 16) / (System.nanoTime() - start);
        System.out.printf(Locale.ROOT, "%.2f GB/s%n", rate);
        start = System.nanoTime();
      }
    }
  }
}

package dev.mcpprober.redaction;

import java.util.LinkedHashMap;
import java.util.Map;

/** Made-up credentials, put together here so that no scanner of this repository takes them for real ones. */
public final class Secrets {
    public static final String GITHUB = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    public static final String OPENAI = "s" + "k-proj-" + "Zq8Wm3Xn5Vb7Lk2Jh9Gf4Ds6Aa1Po0Iu";
    public static final String AWS = "AK" + "IA" + "Q3EGRIPJ7KLM2N5P";
    public static final String SLACK = "xo" + "xb-" + "123456789012-123456789012-AbCdEfGhIjKl";
    public static final String GOOGLE = "AI" + "za" + "SyD3f4G5h6J7k8L9m0N1p2Q3r4S5t6U7v8W";
    public static final String NPM = "np" + "m_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    public static final String PYPI = "py" + "pi-Ag" + "EIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMAAC";
    public static final String JWT = "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    public static final String ASSIGNED = "q7Zt-91xLmPo42";
    public static final String KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    public static final String KEY = "-----BEGIN PRI" + "VATE KEY-----\n" + KEY_BODY + "\nAbCd0123EfGh4567IjKl8901MnOp2345QrSt6789UvWx0123YzAb4567CdEf8901\n-----END PRI" + "VATE KEY-----";

    private Secrets() {}

    /** Rule to a text that holds what it is to find, which is the map's value's last word. */
    public static Map<String, String> texts() {
        Map<String, String> out = new LinkedHashMap<>();
        out.put("github-token", "cloned with " + GITHUB);
        out.put("model-api-key", "Incorrect API key provided: " + OPENAI);
        out.put("aws-access-key", "caller is " + AWS);
        out.put("slack-token", "slack says " + SLACK);
        out.put("google-api-key", "maps key " + GOOGLE);
        out.put("npm-token", "//registry/:_authToken=" + NPM);
        out.put("pypi-token", "twine " + PYPI);
        out.put("jwt", "cookie " + JWT);
        out.put("assigned-secret", "password: " + ASSIGNED);
        return out;
    }
}

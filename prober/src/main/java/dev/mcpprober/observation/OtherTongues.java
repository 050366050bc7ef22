package dev.mcpprober.observation;

import java.util.regex.Pattern;

/** Words other than English that servers use to say that a setting is missing, or to ask a person for something. */
final class OtherTongues {
    private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS;

    /** Something is missing or has to be given. Words of the alphabets stand by themselves, the others have no spaces between words. */
    private static final Pattern LACK = Pattern.compile("\\b(?:fehlt|fehlen|fehlende[nrs]?|nicht (?:gesetzt|gefunden|angegeben|definiert|konfiguriert|vorhanden)|benötigt|erforderlich|muss gesetzt|bitte\\b.{0,60}\\b(?:setzen|angeben)"
            + "|manquante?s?|requise?s?|obligatoires?|introuvables?|(?:n'est|n’est|n'a|n’a) pas|non défini\\w*|veuillez"
            + "|faltan?|requerid[ao]s?|obligatori[ao]s?|no (?:está|se ha|se encontr)\\w*|não (?:está|foi|encontrad)\\w*|obrigatóri[ao]s?|ausente|necessári[ao]s?|debe|defina"
            + "|mancante|mancanti|manca|non (?:è )?(?:impostat|definit|trovat|configurat)\\w*|richiest[aoei]|ontbreekt|ontbreken|niet (?:ingesteld|gevonden|opgegeven)|vereist"
            + "|brak|brakuje|nie (?:jest )?(?:ustawion|znalezion|zdefiniowan)\\w*|wymagan\\w*|chybí|saknas|mangler|puuttuu"
            + "|не (?:задан|установлен|указан|найден|определ)\\w*|отсутству\\w*|требуется|необходим\\w*|укажите|задайте|не встановлен\\w*"
            + "|ayarlanmamış|ayarlanmadı|tanımlanmamış|bulunamadı|gerekli|eksik|thiếu|chưa|bắt buộc|belum|tidak (?:ditemukan|diatur|ada)|wajib|diperlukan)\\b"
            + "|缺少|缺失|未(?:设置|設定|設置|配置|提供|找到|定义|指定)|没有(?:设置|配置|提供)|(?:请|請)(?:先)?(?:设置|設定|設置|配置|提供)|必须|必須|需要"
            + "|設定されてい|未設定|必要です|見つかりません|指定してください|設定してください|설정되지|설정해|설정하|필요|없습니다|누락|غير (?:معين|محدد|موجود)|مفقود|مطلوب|आवश्यक|सेट नहीं", FLAGS);
    /** What is missing where no variable is named. */
    private static final Pattern CREDENTIAL = Pattern.compile("\\b(?:api[- ]?schlüssel|zugangsdaten|passwort|clé (?:d'|d’)?api|jeton|mot de passe|clave (?:de )?(?:la )?api|contraseña|chave (?:de |da )?api|senha"
            + "|chiave api|ключ|токен|пароль)\\b|api ?密[钥鑰]|密[钥鑰]|令牌|凭据|密码|密碼|apiキー|トークン|パスワード|api ?키|토큰|비밀번호", FLAGS);
    private static final Pattern ASK = Pattern.compile("\\b(?:eingeben|gib|geben sie|passwort|entrez|saisissez|mot de passe|introduzca|ingrese|introduce|contraseña|digite|insira|senha|inserisci|wachtwoord|podaj|hasło"
            + "|введите|пароль|girin|nhập|masukkan)\\b|请输入|請輸入|输入|輸入|密码|密钥|入力|パスワード|입력|비밀번호", FLAGS);

    private OtherTongues() {}

    static boolean lacks(String line) {
        return LACK.matcher(line).find();
    }

    static boolean namesCredential(String line) {
        return CREDENTIAL.matcher(line).find();
    }

    static boolean asks(String text) {
        return ASK.matcher(text).find();
    }
}

package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's own statement that it lacks a setting, and which.
 *
 * @param names    variables or arguments, as the server writes them; what has no such name behind {@link #UNNAMED}
 * @param sentence the line that says so
 */
record ConfigNeed(Set<String> names, String sentence) {
    /** Before what the server lacks but calls by no name that a user could set, e.g. {@code its API key}. */
    static final String UNNAMED = "its ";
    private static final Pattern VARIABLE = Pattern.compile("(?<![\\w-])\\$?\\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\\}?(?![\\w-])");
    private static final Pattern NAMED_VARIABLE = Pattern.compile(
            "(?i:\\benv(?:ironment)?[ -]?var(?:iable)?s?\\b)[\\s:'\"`(]*([A-Z][A-Z0-9_]{2,})\\b|\\b([A-Z][A-Z0-9_]{2,})['\"`)]*\\s+(?i:(?:env(?:ironment)?[ -]?var(?:iable)?)\\b)");
    /** Tokens of the form that are codes of runtimes and libraries. */
    private static final Pattern NO_VARIABLE = Pattern.compile("ERR_\\w+|MODULE_NOT_FOUND|\\w+_VERIFY_FAILED|EAI_\\w+|NODE_(?:ENV|OPTIONS|PATH|VERSION|MODULE_VERSION)|"
            + "PYTHON\\w*|UNABLE_TO_\\w+|SELF_SIGNED_\\w+|DEPTH_ZERO_\\w+|UND_ERR_\\w+|UTF_8|HTTP_\\d+|SSL_\\w+|LD_LIBRARY_PATH|INVALID_\\w+|NOT_FOUND\\w*|\\w+_NOT_FOUND"
            + "|(?:\\w+_)?(?:DEBUG|VERBOSE|TRACE|LOG_?LEVEL|BACKTRACE)(?:_\\w+)?");
    private static final Pattern LACK = Pattern.compile("(?i)\\b(?:required|requires|missing|must be (?:set|provided|specified|defined|configured|non-?empty)"
            + "|must (?:set|provide|specify|define|configure)|not (?:been )?(?:set|provided|specified|defined|configured|found|given)|is (?:undefined|unset|empty|not defined)"
            + "|(?:isn't|aren't|wasn't|weren't) (?:set|provided|specified|defined|configured|found|given|present)|not present|absent|must not be (?:empty|blank|null)|has to be (?:set|provided|specified|defined|configured)"
            + "|(?:can ?not|can't|could not|couldn't|unable to) find|undefined|unset|need(?:s|ed)?(?: to)?(?: be)? (?:set|provide[d]?|specif(?:y|ied)|define[d]?|configure[d]?)|please (?:set|provide|specify|define|configure|export|add)"
            + "|set the|(?:set|export|provide|define|configure)\\b.{0,80}\\b(?:first|before|again|restart|to (?:start|use|run|continue))|needs? [\"'`$]*(?-i:[A-Z][A-Z0-9]*_\\w+)|no [\"'`$]*(?-i:[A-Z][A-Z0-9]*_\\w+)|no value|no [\\w -]{1,30}(?:provided|set|found|given|configured|specified)|expects?|cannot be empty|can't be empty|export it)\\b");
    /** The setting can be done without. */
    private static final Pattern HARMLESS = Pattern.compile("(?i)\\b(?:optional(?:ly)?|default(?:s|ing)?(?: to)?|fall(?:s|ing)? ?back|disabled|skipp(?:ed|ing)|ignor(?:ed|ing)"
            + "|will be (?:used|limited|unavailable)|deprecat\\w*|not required|warn(?:ing)?)\\b");
    private static final Pattern LIST_HEAD = Pattern.compile("(?i)(?:missing|required|not set|must be set|please set|following).{0,60}(?:variable|env|setting|config|argument|option)s?.*:\\s*$"
            + "|(?:variable|env|setting|argument|option)s? .{0,60}(?:missing|required|not set|must be set|not provided).*:\\s*$");
    private static final Pattern LIST_ITEM = Pattern.compile("^\\s*(?:[-*•·✗×❌]\\s*)?([A-Z][A-Z0-9_]{2,}|--?[a-z][\\w-]*|<[\\w .-]+>)(?![\\w-]).*");
    private static final Pattern ARGUMENTS = Pattern.compile("(?i)the following arguments are required: (.+)$"
            + "|(?:required (?:option|flag\\(s\\)|flag|argument)s?|missing (?:required )?(?:option|argument|flag|parameter)s?)"
            + "(?:\\s*:?\\s*['\"`(]*(--?[\\w-]+|<[^>]+>)|(?:\\s*:\\s*['\"`(]*|\\s*['\"`(]+)([A-Za-z_][\\w-]*))"
            + "|(?:option|argument|flag|parameter) ['\"`]?(--?[\\w-]+|<[^>]+>)['\"`]? (?:is required|is missing|must be|not (?:set|provided|specified))"
            + "|(--[\\w-]+)\\b['\"`]? (?:is required|is missing|must be (?:set|provided|specified)|not (?:set|provided|specified))"
            + "|(?:provide|specify|supply|pass) (?:an? |the |your )?([\\w -]{2,40}?) as (?:an? |the )?(?:first |command[- ]line )*arg(?:ument)?\\b");
    private static final Pattern USAGE = Pattern.compile("(?i)^\\s*(?:usage|use|syntax)\\s*:(.*)$");
    /** What stands in brackets of a usage line can be left out. */
    private static final Pattern OPTIONAL = Pattern.compile("\\[[^\\[\\]]*\\]");
    /** What a usage line has a user fill in: a name in angle brackets, an option with its value, a word in capitals. */
    private static final Pattern TO_FILL = Pattern.compile("(<[^>\\n]{1,40}>|(?<=\\s)(?:--?[a-z][\\w-]* )?[A-Z][A-Z0-9_-]{2,}(?=\\s|$|\\.{3}))");
    private static final String NOUN = "(?:api[ _-]?keys?|(?:access|auth\\w*|bearer|bot|personal access|api|refresh)[ _-](?:tokens?|keys?)|tokens?|credentials?|passwords?|secrets?(?: keys?)?|licen[cs]e keys?"
            + "|connection strings?|config(?:uration)?(?: files?)?|settings(?: files?)?|\\.env(?: files?)?|database (?:url|path|file)|client (?:id|secret))";
    /** Something that only a user can give is missing, and no name of a setting is said. */
    private static final Pattern NAMELESS = Pattern.compile("(?i)\\b(?:no|missing|without|needs?|requires?|(?:can ?not|can't|could not|couldn't|unable to) (?:find|load|read|open)|(?:please )?(?:provide|specify|enter|configure)) "
            + "(?:(?:a|an|the|your|any|valid|required) ){0,3}(" + NOUN + ")\\b(?![ .:]*(?:module|package|class))"
            + "|(?<![\\w.-])(" + NOUN + ")(?: (?:at|in) [^\\s,;]+)? (?:(?:is|are|was|were|must be|has to be) )?(?:missing|required|not (?:been )?(?:set|found|provided|specified|configured|given|present|defined)|undefined|empty|does not exist|doesn't exist)\\b");
    private static final Pattern FILE = Pattern.compile("(?i)(?:not found|does not exist|doesn't exist|no such file|ENOENT|could not (?:find|read|open|load)|couldn't (?:find|read|open|load)|can ?not (?:find|read|open|load)|unable to (?:find|read|open|load))"
            + ".{0,120}?(?<![\\w-])((?:[\\w-]*[_-])?(?:config(?:uration)?|settings|credentials|secrets|tokens?)\\.(?:json|jsonc|ya?ml|toml|ini|conf|env)|\\.env)\\b");
    private static final Pattern SIGN_IN = Pattern.compile("(?i)\\b(?:not (?:yet )?(?:logged|signed) in|(?:please |must |need to )(?:log|sign) in|login required|(?:please |first |then )?run [`'\"]?[\\w./@ -]{1,60}? (login|auth|authenticate|init|setup|configure)\\b)");
    /** Issues of the validator zod, printed as JSON. */
    private static final Pattern ZOD = Pattern.compile("\"path\":\\s*\\[\\s*\"([A-Z][A-Z0-9_]{2,})\"\\s*\\],\\s*\"message\":\\s*\"(?:Required|[^\"]{0,60}received undefined)\"");
    private static final Pattern SETTINGS = Pattern.compile("validation errors? for \\w*(?:Settings|Config|Env)\\w*");
    private static final Pattern PYDANTIC = Pattern.compile("^\\s+(?:Field required|field required)\\b.*");
    private static final Pattern KEY_ERROR = Pattern.compile("^KeyError: ['\"](\\w+)['\"]\\s*$");
    private static final int MAX_LINES = 2_000;
    private static final int MAX_CHARS = 2_000;
    private static final int LIST_LINES = 12;
    /** Brackets in brackets of a usage line. */
    private static final int MAX_DEPTH = 4;

    /** @param ended the process ended by itself; a usage line says that arguments are wanted only then */
    static Optional<ConfigNeed> in(String text, boolean ended) {
        String[] all = text.split("\\r?\\n");
        List<String> lines = List.of(all).subList(Math.max(0, all.length - MAX_LINES), all.length);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).length() > MAX_CHARS ? lines.get(i).substring(0, MAX_CHARS) : lines.get(i);
            Set<String> names = new LinkedHashSet<>();
            if (!HARMLESS.matcher(line).find()) {
                variables(line, names);
                arguments(line, names);
                list(lines, i, names);
                special(text, lines, i, names);
            }
            if (!names.isEmpty()) {
                return Optional.of(new ConfigNeed(names, Phrase.quote(line.strip())));
            }
        }
        Matcher zod = ZOD.matcher(text);
        Set<String> invalid = new LinkedHashSet<>();
        while (zod.find()) {
            invalid.add(zod.group(1));
        }
        if (!invalid.isEmpty()) {
            return Optional.of(new ConfigNeed(invalid, "validation issue: Required"));
        }
        return ended ? ofTheEnded(lines) : Optional.empty();
    }

    /** Weaker signs, which a process gives that has ended over them. */
    private static Optional<ConfigNeed> ofTheEnded(List<String> lines) {
        for (String whole : lines) {
            String line = Phrase.cut(whole, MAX_CHARS);
            Set<String> names = new LinkedHashSet<>();
            Matcher usage = USAGE.matcher(line);
            if (usage.find()) {
                toFill(usage.group(1), names);
            } else if (!HARMLESS.matcher(line).find()) {
                nameless(line, names);
            }
            if (!names.isEmpty()) {
                return Optional.of(new ConfigNeed(names, Phrase.quote(line.strip())));
            }
        }
        return Optional.empty();
    }

    private static void toFill(String usage, Set<String> names) {
        String left = usage;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            left = OPTIONAL.matcher(left).replaceAll("");
        }
        Matcher fill = TO_FILL.matcher(left);
        while (fill.find()) {
            names.add(fill.group(1));
        }
    }

    /** A key, a file of settings or a login, called by what it is; what a library says of its own exception is not looked at. */
    private static void nameless(String line, Set<String> names) {
        if (line.matches("\\s*(?:at|File) .*|.*(?:Errno|Unexpected token).*")) {
            return;
        }
        for (Pattern pattern : List.of(NAMELESS, FILE, SIGN_IN)) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                String name = matcher.group(1) != null ? matcher.group(1) : matcher.groupCount() > 1 ? matcher.group(2) : "login";
                names.add(UNNAMED + name);
                return;
            }
        }
        if (OtherTongues.lacks(line) && OtherTongues.namesCredential(line)) {
            names.add(UNNAMED + "key");
        }
    }

    private static void variables(String line, Set<String> names) {
        if (!LACK.matcher(line).find() && !OtherTongues.lacks(line)) {
            return;
        }
        Matcher named = NAMED_VARIABLE.matcher(line);
        while (named.find()) {
            add(names, named.group(1) != null ? named.group(1) : named.group(2));
        }
        Matcher variable = VARIABLE.matcher(line);
        while (variable.find()) {
            add(names, variable.group(1));
        }
    }

    private static void add(Set<String> names, String name) {
        if (!NO_VARIABLE.matcher(name).matches()) {
            names.add(name);
        }
    }

    private static void arguments(String line, Set<String> names) {
        Matcher matcher = ARGUMENTS.matcher(line);
        while (matcher.find()) {
            for (int group = 1; group <= matcher.groupCount(); group++) {
                if (matcher.group(group) != null) {
                    for (String name : group == 1 ? matcher.group(1).split("[,\\s]+") : new String[] {matcher.group(group)}) {
                        names.add(name);
                    }
                }
            }
        }
    }

    /** A heading that says what is missing, then one name to a line. */
    private static void list(List<String> lines, int head, Set<String> names) {
        if (!LIST_HEAD.matcher(lines.get(head)).find()) {
            return;
        }
        List<String> found = new ArrayList<>();
        for (int i = head + 1; i < lines.size() && i <= head + LIST_LINES; i++) {
            Matcher item = LIST_ITEM.matcher(lines.get(i));
            if (lines.get(i).isBlank()) {
                continue;
            }
            if (!item.matches()) {
                break;
            }
            found.add(item.group(1));
        }
        found.forEach(name -> add(names, name));
    }

    /** Pydantic settings name the field on the line before; a lookup in the environment fails as KeyError. */
    private static void special(String text, List<String> lines, int i, Set<String> names) {
        if (PYDANTIC.matcher(lines.get(i)).matches() && i > 0 && lines.get(i - 1).matches("[A-Za-z_][\\w.]*") && SETTINGS.matcher(text).find()) {
            names.add(lines.get(i - 1));
        }
        Matcher key = KEY_ERROR.matcher(lines.get(i));
        if (key.matches() && text.contains("environ")) {
            names.add(key.group(1));
        }
    }
}

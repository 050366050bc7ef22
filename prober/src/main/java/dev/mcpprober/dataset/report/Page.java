package dev.mcpprober.dataset.report;

/** The frame of every page: no script, nothing from elsewhere, readable on a phone, on paper and in the dark. */
final class Page {
    /** Okabe and Ito's colours, which people with any colour vision tell apart; text never stands on them alone. */
    private static final String STYLE = """
            :root{--fg:#1b1b1b;--bg:#fff;--dim:#595959;--line:#d0d0d0;--box:#f5f5f5;--link:#0b57a4}
            @media(prefers-color-scheme:dark){:root{--fg:#e8e8e8;--bg:#161616;--dim:#a8a8a8;--line:#444;--box:#222;--link:#7db7f0}}
            *{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:70rem;margin:0 auto;padding:1rem}
            a{color:var(--link)}h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem;border-bottom:1px solid var(--line)}
            table{border-collapse:collapse;font-size:.9rem}caption{text-align:left;color:var(--dim);padding:.3rem 0}
            th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}th{font-weight:600}
            .n{text-align:right;font-variant-numeric:tabular-nums}.scroll{overflow-x:auto}.dim{color:var(--dim)}
            .big{display:flex;flex-wrap:wrap;gap:1rem}.big>div{background:var(--box);border-radius:.5rem;padding:.8rem 1rem;flex:1 1 16rem}
            .big b{display:block;font-size:1.5rem}pre{background:var(--box);padding:.6rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}
            figure{margin:1rem 0}svg{max-width:100%;height:auto}svg text{fill:var(--fg);font:12px system-ui,sans-serif}svg .axis{stroke:var(--line)}svg .whisker{stroke:var(--fg)}
            .v{font-weight:600;white-space:nowrap}.v::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.35em;border-radius:2px;background:#999}
            .fail::before{background:#D55E00}.warn::before{background:#E69F00}.divergent::before{background:#56B4E9}.pass::before{background:#009E73}
            .hit{outline:2px solid #D55E00}
            @media print{body{max-width:none;font-size:11px}details{display:block}a{color:inherit}}
            """;

    private Page() {}

    /** @param up path to the folder of the report's first page, empty or {@code ../} */
    static String of(String title, String up, String body) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
                + "<title>" + Html.text(title) + "</title><style>" + STYLE + "</style></head><body>\n"
                + (up.isEmpty() ? "" : "<p><a href=\"" + up + "index.html\">all servers</a></p>\n") + body + "</body></html>\n";
    }

    /** A verdict word with its colour; the word alone says it, too. */
    static String verdict(String word) {
        return "<span class=\"v " + Html.text(word) + "\">" + Html.text(word) + "</span>";
    }
}

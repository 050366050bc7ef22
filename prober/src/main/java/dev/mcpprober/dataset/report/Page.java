package dev.mcpprober.dataset.report;

/** The frame of every page: no script, nothing from elsewhere, readable on a phone, on paper and in the dark. */
final class Page {
    /** Begins the title of every report's first page. */
    static final String MARK = "<title>mcp-prober: ";

    private static final String STYLE = """
            :root{color-scheme:light dark;--fg:#1b1b1b;--bg:#fff;--dim:#595959;--line:#d0d0d0;--box:#f5f5f5;--link:#0b57a4;--hit:#fff3d6}
            @media(prefers-color-scheme:dark){:root{--fg:#e8e8e8;--bg:#161616;--dim:#a8a8a8;--line:#4a4a4a;--box:#222;--link:#7db7f0;--hit:#3d3113}}
            *{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:80rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
            a{color:var(--link)}h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.25rem;margin-top:2.5rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:.8rem 0 .2rem}
            table{border-collapse:collapse;font-size:.85rem}caption{text-align:left;color:var(--dim);padding:.3rem 0}
            th,td{border-bottom:1px solid var(--line);padding:.2rem .55rem;text-align:left;vertical-align:top;overflow-wrap:normal}figure td,figure th{white-space:nowrap}figure td:last-child,figure thead th,figure thead .n{white-space:normal}
            th{font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.scroll{overflow-x:auto}.dim{color:var(--dim)}.wide td:last-child{min-width:14rem}
            .big{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.8rem}.big>div{background:var(--box);border-radius:.5rem;padding:.7rem 1rem}
            .big b{display:block;font-size:1.5rem}nav ul{columns:14rem;column-gap:2.5rem;padding-left:1.1rem;margin:.5rem 0}
            pre{background:var(--box);padding:.4rem .6rem;margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}
            .hit{background:var(--hit);border-left:.3rem solid #D55E00}:target{outline:2px solid #0072B2}
            figure{margin:1.2rem 0}figcaption{font-weight:600;margin-bottom:.4rem}figcaption .dim{font-weight:400;font-size:.85rem}summary{cursor:pointer}
            svg{display:block;width:100%;max-width:27rem;height:auto;margin-bottom:.4rem}svg text{fill:var(--fg);font:11px system-ui,sans-serif}svg .tick{fill:var(--dim);font-size:9.5px}
            svg text.on-light{font-size:9.5px;fill:#000}svg text.on-dark{font-size:9.5px;fill:#fff}svg .axis{stroke:var(--line)}svg .whisker{stroke:var(--fg);stroke-width:1.4}svg .dot{fill:#0072B2;stroke:var(--bg)}
            svg .curve{stroke:#0072B2;stroke-width:1.4;stroke-opacity:.6}
            .v{font-weight:600;white-space:nowrap}.v::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.35em;border-radius:2px;background:#999}
            .fail::before{background:#D55E00;border-radius:0}.warn::before{background:#E69F00;border-radius:50%}.divergent::before{background:#56B4E9}.pass::before{background:#009E73}
            @media(max-width:40rem){table{font-size:.8rem}th,td{padding:.2rem .3rem}figure td,figure th{white-space:normal}}
            @media(min-width:60rem){.drawn{display:grid;grid-template-columns:27rem 1fr;column-gap:1.5rem}.drawn>figcaption{grid-column:1/3}.drawn>details{min-width:0}
            .many .pictures{display:grid;grid-template-columns:repeat(3,1fr);column-gap:1.5rem;align-items:start}.many h3{grid-column:1/4}}
            @media print{:root{--fg:#000;--bg:#fff;--dim:#444;--line:#bbb;--box:#f5f5f5;--hit:#fff3d6}body{max-width:none;font-size:11px;padding:0}a{color:inherit}svg{max-width:11cm;break-inside:avoid}
            .scroll{overflow:visible}figure td,figure th,figure .n,figure thead .n{white-space:normal;overflow-wrap:anywhere}tr{break-inside:avoid}h2,h3,figcaption{break-after:avoid}.drawn{display:block}.many .pictures{display:grid;grid-template-columns:1fr 1fr;column-gap:.6cm}.v::before,.hit,.big>div{print-color-adjust:exact}}
            """;

    private static final String STYLE_HASH = Policy.hash(STYLE);

    private Page() {}

    /** @param up path to the folder of the report's first page, empty or {@code ../}; null for that page itself */
    static String of(String title, String up, String body) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " + STYLE_HASH + "; base-uri 'none'; form-action 'none'\">"
                + MARK + Html.text(title, 200) + "</title><style>" + STYLE + "</style></head><body>\n"
                + (up == null ? "" : "<nav><a href=\"" + up + "index.html\">Report</a> · <a href=\"" + up + "servers.html\">All servers</a></nav>\n") + "<main>\n" + body
                + "</main></body></html>\n";
    }

    /** A verdict word with its colour; the word alone says it, too. */
    static String verdict(String word) {
        return "<span class=\"v " + Html.text(word) + "\">" + Html.text(word) + "</span>";
    }
}

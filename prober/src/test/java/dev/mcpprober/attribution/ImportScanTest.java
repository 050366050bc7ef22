package dev.mcpprober.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportScanTest {
    private static List<String> js(String source) {
        return JsImports.scan(source).imports().stream().map(JsImports.Import::specifier).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "import 'x'", "import a from \"x\";", "import * as a from 'x'", "import a, { b as c, d } from 'x'", "import{a}from'x'",
        "export * from 'x'", "export { a, b } from 'x'", "export*as n from'x'", "const a = require('x')", "require(`x`)", "await import('x')",
        "import(/* webpackIgnore: true */ 'x')", "import('x', { with: {} })", "__require(\"x\")", "import json from 'x' with { type: 'json' }",
        "if (a) /'/.test(b); import('x')", "a = b / c; d = e / require('x')", "`${require('x')}`", "`a${`b${1}`}`; require('x')",
        "x = {a: 1} / 2; require('x')", "() => { return /[/'\"]/ }; require('x')", "i++ / 2; require('x')", "#!/usr/bin/env node\nrequire('x')",
        "try{require('x')}catch{}", "f(a, function() {}) / 2; require('x')", "import { type A, b } from 'x'"})
    void javaScriptImports(String source) {
        assertEquals(List.of("x"), js(source), source);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "// import 'x'", "/* import 'x' */", "'import \"x\"'", "`import 'x'`", "\"require('x')\"", "import.meta.url", "a.require('x')", "a.import('x')",
        "export const a = 'x'", "export default 'x'", "import(name)", "require(name + 'x')", "import type { A } from 'x'", "/require('x')/",
        "x = y ? /import 'x'/ : 1", "require(`${a}/x`)", "const s = \"it's\\\" require('x')\"", "export { a }; from('x')"})
    void noJavaScriptImports(String source) {
        assertEquals(List.of(), js(source), source);
    }

    @Test
    void namesAndIdentifiers() {
        JsImports.Scan scan = JsImports.scan("import { McpServer, Foo as Bar } from 'x'; new McpServer(); const t = 'Hidden'; spawn('./run.js')");
        assertEquals(List.of("McpServer", "Foo", "as", "Bar"), scan.imports().get(0).names());
        assertTrue(scan.identifiers().contains("spawn"));
        assertTrue(!scan.identifiers().contains("Hidden"));
        assertEquals(List.of("./run.js"), List.copyOf(scan.literals()));
    }

    @Test
    void brokenSourceEnds() {
        js("import {");
        js("`${`${");
        js("'unfinished\n\"\\");
        js("/");
        js("export * from");
        js("}}}})))");
        js("((((".repeat(200_000) + "`${".repeat(200_000));
        js("import {" + "a,".repeat(500_000));
        PyImports.scan("from . import (a,\n");
        PyImports.scan("'''unfinished \\");
        PyImports.scan("from");
    }

    private static String py(String source) {
        StringBuilder all = new StringBuilder();
        for (PyImports.Import found : PyImports.scan(source)) {
            all.append(".".repeat(found.level())).append(found.module()).append(found.names()).append(' ');
        }
        return all.toString().strip();
    }

    @Test
    void pythonImports() {
        assertEquals("a.b[] c[]", py("import a.b as x, c"));
        assertEquals("a[b, c]", py("from a import b as x, c  # import z"));
        assertEquals("a[b, c]", py("from a import (\n    b,  # one\n    c,\n)\n"));
        assertEquals(".[core] ..pkg.mod[f]", py("from . import core\nfrom ..pkg.mod import f"));
        assertEquals("a[*]", py("from a import *"));
        assertEquals("a[] b[]", py("try: import a\nexcept ImportError: import b"));
        assertEquals("a[]", py("if x:\n\timport a; y = 1"));
        assertEquals("a[b]", py("from a \\\n  import b"));
        assertEquals("a[]", py("x = '''\nimport no\n'''\nimport a"));
        assertEquals("a[]", py("f(\nimport_, 'from b import c')\nimport a"));
    }

    @Test
    void noPythonImports() {
        assertEquals("", py("yield from a\nx = {1: imports}\nraise E from import_\n\"from a import b\"\n# import a\nx.import_module('a')"));
    }
}

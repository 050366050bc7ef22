package dev.mcpprober.cli.bundle;

import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.cli.report.CheckResult;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.SandboxSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a bundle is made of.
 *
 * @param sessions    transcript files by session name
 * @param record      of the install; empty for a command on this host
 * @param ran         what was run; empty when nothing was installed
 * @param environment of the server, as the user gave it
 * @param arguments   the command line of this program
 * @param redactor    what is taken out of every text of it
 * @param version     of this program
 * @param now         ISO-8601 instant
 */
public record BundleSource(CheckResult result, Gate gate, Map<String, Path> sessions, Optional<InstallRecord> record, Optional<SandboxSpec> ran,
                           Map<String, String> environment, List<String> arguments, Redactor redactor, String version, String now) {}

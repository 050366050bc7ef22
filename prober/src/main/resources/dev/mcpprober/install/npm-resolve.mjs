// Asks npm's own resolver what a spec stands for. Arguments: SPEC REGISTRY BEFORE (may be empty). Prints one JSON object.
import { createRequire } from 'node:module';
import { existsSync, realpathSync } from 'node:fs';

const [spec, registry, before] = process.argv.slice(1);
const npm = process.env.PATH.split(':').map((folder) => `${folder}/npm`).find(existsSync);
const pacote = createRequire(realpathSync(npm))('pacote');
const say = (answer) => console.log(JSON.stringify({ node: process.versions.node, ...answer }));
try {
  const options = { registry, cache: '/tmp/npm-resolve', fetchRetries: 2, fetchRetryMintimeout: 1000, fetchTimeout: 60000 };
  // Only the full document says when versions were published.
  if (before) Object.assign(options, { before: new Date(before), fullMetadata: true });
  const found = await pacote.manifest(spec, options);
  say({
    name: found.name, version: found.version, integrity: found._integrity, engines: found.engines, os: found.os, cpu: found.cpu,
    unpackedSize: found.dist?.unpackedSize,
  });
} catch (error) {
  say({ code: String(error.code ?? 'ERROR'), message: String(error.message).slice(0, 2000), status: error.statusCode });
}

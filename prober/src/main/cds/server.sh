# A small MCP server. The launcher checks it once after a build, so that the classes of a check get into its archive.
while read -r line; do
  id=${line#*\"id\":}
  id=${id%%,*}
  case $line in
    *'"initialize"'*) answer='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"}}' ;;
    *'"tools/list"'*) answer='"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}' ;;
    *'"ping"'*) answer='"result":{}' ;;
    *'"notifications/'*) continue ;;
    *) answer='"error":{"code":-32602,"message":"no"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
done

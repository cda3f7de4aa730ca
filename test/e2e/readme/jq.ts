// Stands in for jq where README's blocks are tested: `jq -r <path>` over the standard input, with the paths that they use.
const path = process.argv.at(-1) ?? '.'
const text = await new Response(Bun.stdin.stream()).text()
let value: unknown = JSON.parse(text)
for (const [, name, index] of path.matchAll(/\.?(?:([a-zA-Z]\w*)|\[(\d+)\])/g)) {
  value =
    name === undefined ? (value as unknown[])[Number(index)] : (value as Record<string, unknown> | undefined)?.[name]
}
console.log(value === undefined ? 'null' : typeof value === 'string' ? value : JSON.stringify(value))

export {}

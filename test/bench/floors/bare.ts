// The least that an answer costs: Bun's own server and bytes that were made beforehand.
const [port, file = '', type = ''] = process.argv.slice(2)
const body = await Bun.file(file).bytes()
const init = { headers: { 'content-type': type } }
Bun.serve({ port: Number(port), hostname: '127.0.0.1', reusePort: false, fetch: () => new Response(body, init) })

export {}

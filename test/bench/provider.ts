// A market data provider that always knows the price.
const [port] = process.argv.slice(2)
Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  fetch: () => Response.json({ price: 64_000.5 }),
})

export {}

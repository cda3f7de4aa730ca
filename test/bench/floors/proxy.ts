// The least that a request to a service costs a gateway: Bun's own server, and Bun's own call of the service by its socket.
const [port, url = '', unix = ''] = process.argv.slice(2)
Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  fetch(request) {
    const path = request.url.slice(request.url.indexOf('/', 'http://'.length))
    return fetch(url + path, { method: request.method, unix, redirect: 'manual', decompress: false })
  },
})

export {}

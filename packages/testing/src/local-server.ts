/** A request as a local server got it; `path` has the query string, `body` is the text that was sent. */
export interface SeenRequest {
  method: string
  path: string
  headers: Headers
  body: string
}

/** Answers one request. The request's body can still be read. */
export type Handler = (request: Request) => Response | Promise<Response>

export type LocalServer = ReturnType<typeof localServer>

/** A stand-in for somebody else's HTTP server, on a free port of 127.0.0.1. A handler that throws answers 500. */
export function localServer(handler: Handler) {
  let current = handler
  const requests: SeenRequest[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    reusePort: false,
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.clone().text()
      requests.push({ method: request.method, path: pathname + search, headers: new Headers(request.headers), body })
      return current(request)
    },
    error: (error) => new Response(`The local server's handler threw: ${error.message}`, { status: 500 }),
  })
  return {
    /** `http://127.0.0.1:<port>`, no slash at the end. */
    url: `http://127.0.0.1:${server.port}`,
    /** Requests so far, oldest first. */
    requests,
    /** Replaces the handler. */
    answer(next: Handler) {
      current = next
    },
    /** Closes it, and aborts running requests. */
    stop: () => server.stop(true),
  }
}

import { websocket } from 'elysia/ws'
import { connectionLimits } from './connection-limits'
import type { Servable } from './open-port'

/** The parts of an Elysia app that are needed here. */
interface Compiled extends Servable {
  compile(): unknown
  fetch(request: Request): Response | Promise<Response>
  config: { websocket?: object }
}

/**
 * Gives an app a `listen` that compiles it once. Elysia's own compiles twice, passes the server its existing options
 * again, and collects garbage, all for modules that load later: a third of a second of processor time if all services
 * share a process.
 */
export function listenOnce(app: Compiled): void {
  app.listen = ({ hostname, port }) => {
    compileUntraced(app)
    app.server = Bun.serve({
      hostname,
      port,
      // A second server on a port in use must fail, not share it.
      reusePort: false,
      development: false,
      ...connectionLimits,
      // Elysia's types are of an earlier Bun.
      websocket: { ...app.config.websocket, ...websocket } as unknown as Bun.WebSocketHandler<unknown>,
      fetch: app.fetch,
    })
  }
}

/**
 * Compiles without stack traces: the compiled code keeps an error for unknown routes as long as the process lives.
 * JavaScriptCore looks up the source lines of its stack at the first garbage collection, and for that reads the whole
 * source map of a bundle: a quarter of the processor time of a start, and seven megabytes that stay.
 */
function compileUntraced(app: Compiled): void {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    app.compile()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

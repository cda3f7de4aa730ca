/** Where others reach a node. */
export interface Door {
  close(): void
}

/** Anvil 1.7.1 stops for ever where it traces while it mines: a trace takes one lock twice, and the block asks for it in between. */
const alone = /"(debug_trace\w*|anvil_mine\w*|evm_mine)"/

/** A port that passes requests on to a node, of traces and blocks one after another. */
export function openDoor(port: number, nodePort: number): Door {
  let last: Promise<unknown> = Promise.resolve()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    reusePort: false,
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      const body = await request.text()
      const pass = () =>
        fetch(`http://127.0.0.1:${nodePort}`, {
          method: request.method,
          headers: request.headers,
          body,
          signal: request.signal,
        })
      if (!alone.test(body)) return await pass()
      // Read whole: an answer begins before a trace has ended.
      const answer = last.then(pass).then(async (found) => new Response(await found.arrayBuffer(), found))
      last = answer.catch(() => {})
      return await answer
    },
    // As a node that is gone: the caller's connection breaks.
    error: () => new Response(null, { status: 502 }),
  })
  return { close: () => void server.stop(true) }
}

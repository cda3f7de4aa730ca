import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LossyProxy {
  url: string
  /** How many answers to requests of this method and path were lost. */
  lost(): number
  stop(): void
}

/**
 * Passes requests on, and loses the first answers to those that `loses` names: the server has answered, and the connection
 * to the client ends.
 */
export async function lossyProxy(to: string, { loses, times }: { loses: RegExp; times: number }): Promise<LossyProxy> {
  let lost = 0
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request
    const onward = send(to + url, { method, headers }, (answer) => {
      if (!loses.test(`${method} ${url}`) || lost >= times) {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        return void answer.pipe(response)
      }
      lost += 1
      answer.resume()
      answer.on('end', () => request.socket.destroy())
    })
    request.pipe(onward)
  }
  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

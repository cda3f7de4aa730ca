import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'

/** A proxy that stands in front of a service. */
export interface ValidatingProxy {
  url: string
  stop(): Promise<void>
}

/**
 * Prism as a validating proxy: a request or an answer that breaks the service's OpenAPI document is answered with an
 * error that says how, instead of the answer.
 */
export async function validatingProxy(serviceUrl: string): Promise<ValidatingProxy> {
  const document = (await (await fetch(`${serviceUrl}/v1/swagger/json`)).json()) as { paths: object }
  // Prism matches the whole path, without the servers of the document.
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path.startsWith('/api/v1/') ? path : `/v1${path}`,
    methods,
  ])
  const operations = await getHttpOperationsFromSpec({ ...document, servers: [], paths: Object.fromEntries(paths) })
  const server = createServer(operations, {
    components: { logger: createLogger('prism', { level: 'silent' }) },
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(serviceUrl),
      upstreamProxy: undefined,
      checkSecurity: false,
      validateRequest: true,
      validateResponse: true,
      errors: true,
      mock: { dynamic: false },
    } as never,
  })
  const prism = await server.listen(0, '127.0.0.1')
  // Routes for other services are in no document, and pass.
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const to = pathname.startsWith('/internal/') ? serviceUrl : prism
      return fetch(new Request(to + pathname + search, request))
    },
  })
  return {
    url: `http://127.0.0.1:${front.port}`,
    async stop() {
      await front.stop(true)
      await server.close()
    },
  }
}

import { metricsFor } from '@bursar/http'
import { Elysia } from 'elysia'
import type { GatewayDeps } from '../deps'
import { createPlatformMetrics } from './platform-metrics'

/** The metrics of all services in one scrape. Like `/metrics`, only for readers on this machine (server.ts). */
export function metricsRoutes({ instancesOf, metrics }: GatewayDeps) {
  const all = createPlatformMetrics(instancesOf, metrics.text)
  return new Elysia({ detail: { hide: true } }).get('/metrics/all', async ({ set, headers }) => {
    const { body, contentType } = metricsFor(await all(), headers.accept ?? null)
    set.headers['content-type'] = contentType
    return body
  })
}

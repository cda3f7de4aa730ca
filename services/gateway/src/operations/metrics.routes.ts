import { Elysia } from 'elysia'
import type { GatewayDeps } from '../deps'
import { createPlatformMetrics } from './platform-metrics'

/** The figures of all services in one scrape. As `/metrics`, for readers on this machine alone (server.ts). */
export function metricsRoutes({ instancesOf, metrics }: GatewayDeps) {
  const all = createPlatformMetrics(instancesOf, metrics.text)
  return new Elysia().get(
    '/metrics/all',
    async ({ set }) => {
      set.headers['content-type'] = metrics.contentType
      return await all()
    },
    { detail: { hide: true } },
  )
}

import { metricsFor } from '@bursar/http'
import { Elysia } from 'elysia'
import type { GatewayDeps } from '../deps'
import { createPlatformMetrics } from './platform-metrics'

/** The figures of all services in one scrape. As `/metrics`, for readers on this machine alone (server.ts). */
export function metricsRoutes({ instancesOf, metrics }: GatewayDeps) {
  const all = createPlatformMetrics(instancesOf, metrics.text)
  return new Elysia().get(
    '/metrics/all',
    async ({ set, headers }) => {
      const { body, contentType } = metricsFor(await all(), headers.accept ?? null)
      set.headers['content-type'] = contentType
      return body
    },
    { detail: { hide: true } },
  )
}

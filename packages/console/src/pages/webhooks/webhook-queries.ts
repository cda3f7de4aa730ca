import type { components } from '#types/webhook'
import { gathered } from '../../api/gathered'
import { useList } from '../../api/list'
import { keptMs, reread, useQuery } from '../../api/query'
import { useRead } from '../../api/read'
import { dataOf, pageOf, totalOf, webhook } from '../../api/services'
import { type FilterValues, givenFilters } from '../../format/filters'
import { usePeriod } from '../../ui/period-filter'

export type Endpoint = components['schemas']['Endpoint']
export type EventType = components['schemas']['EventType']
/** Null for an endpoint that was deleted meanwhile. */
export type Figures = components['schemas']['EndpointFigures'] | null
export type Delivery = components['schemas']['DeliveryEntry']
export type DeliveryDetails = components['schemas']['DeliveryDetails']
export type Attempt = components['schemas']['DeliveryAttempt']

/** Deliveries proceed automatically, so the shown ones are read again. */
const everyMs = 10_000

/** The endpoints, oldest first. */
export const useEndpoints = (limit = 25) =>
  useList<Endpoint>({
    key: ['endpoints'],
    limit,
    page: (_after, limit, signal, offset) =>
      pageOf(webhook.GET('/webhooks/endpoints', { params: { query: { offset, limit } }, signal })),
    everyMs: 30_000,
  })

/** The catalogue: every type of event that endpoints can take. */
export const useEventTypes = () =>
  useRead(['event-types'], (signal) => webhook.GET('/webhooks/event-types', { signal }), { staleTime: keptMs })

export const useEndpoint = (id: string) =>
  useRead(['endpoint', id], (signal) => webhook.GET('/webhooks/endpoints/{id}', { params: { path: { id } }, signal }), {
    refetchInterval: 30_000,
  })

const figures = gathered(async (ids) => {
  const found = await dataOf(webhook.GET('/webhooks/endpoints/figures', { params: { query: { ids } } }))
  return new Map(found.map((each) => [each.endpointId, each]))
}, 25)

/** An endpoint's figures of the last 24 hours; null once it is deleted. Those of a list share one request. */
export const useFigures = (id: string) =>
  useQuery({
    queryKey: ['endpoint', id, 'figures'],
    queryFn: () => figures(id),
    refetchInterval: 30_000,
  })

export const deliveryFilters = ['endpointId', 'status', 'event', 'resourceId', 'from', 'to'] as const
export type DeliveryFilters = FilterValues<(typeof deliveryFilters)[number]>

/** Deliveries, the newest first. */
export function useDeliveries({ from, to, ...filters }: DeliveryFilters) {
  const times = usePeriod({ from, to })
  return useList<Delivery>({
    key: ['deliveries', filters, times],
    async page(after, limit, signal) {
      const asked = { ...givenFilters(filters), ...times, after, limit, count: after === undefined }
      // The URL may contain anything: the service refuses values that are not valid.
      const call = webhook.GET('/webhooks/deliveries', { params: { query: asked as never }, signal })
      const { data, response } = await call
      return { rows: data?.deliveries ?? [], total: totalOf(response) }
    },
    idOf: ({ deliveryId }) => deliveryId,
    everyMs,
  })
}

export const useDelivery = (deliveryId: string) =>
  useRead(
    ['delivery', deliveryId],
    (signal) => webhook.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal }),
    { refetchInterval: everyMs },
  )

export const useAttempts = (deliveryId: string) =>
  useRead(
    ['delivery', deliveryId, 'attempts'],
    (signal) => webhook.GET('/webhooks/delivery/{deliveryId}/attempts', { params: { path: { deliveryId } }, signal }),
    { refetchInterval: everyMs },
  )

/** Reads the data that an act on an endpoint or a delivery changed again. */
export function readAgain(): void {
  reread(['endpoints'], ['endpoint'], ['deliveries'], ['delivery'])
}

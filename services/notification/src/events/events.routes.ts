import { operation, page, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { NotificationDeps } from '../deps'
import { EventPage, EventQuery } from './events.model'
import { listEvents } from './list-events'
import { toEvent } from './record-events'

/** Spec 3, Endpoints, Notification service. */
export const eventRoutes = ({ store, identity }: Pick<NotificationDeps, 'store' | 'identity'>) =>
  new Elysia({ prefix: '/events', tags: ['Events'] }).get(
    '/',
    async ({ request, query }) => {
      const caller = await identity.read(request)
      const { rows, total } = await store.snapshot((db) => listEvents(db, query, caller?.participantId ?? null))
      return page(rows.map(toEvent), query, total)
    },
    {
      query: EventQuery,
      response: { 200: response(EventPage) },
      detail: operation('listEvents', 'Poll the events of payments and transactions, oldest first', {
        description:
          'Poll with `since` = the `timestamp` of the last event you have: no event is missed, and none comes twice. ' +
          'Take it from the event, not from a clock: in a burst timestamps run ahead of the clock. A participant gets ' +
          'the events of its own payments and transactions.',
      }),
    },
  )

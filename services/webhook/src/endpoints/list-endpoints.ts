import { and, asc, type Db, eq, gt, inChunks, param, variants } from '@bursar/store'
import { toEndpoint } from './endpoints'
import type { Endpoint, EndpointQuery } from './endpoints.model'
import { endpoints } from './endpoints.table'

/** The endpoints as they go out, oldest first, a chunk at a time. */
export const readEndpoints = (db: Db, { participantId, limit, offset }: EndpointQuery): AsyncGenerator<Endpoint[]> =>
  inChunks(
    async (place) => {
      const rows = await endpointsAfter({ hasParticipant: participantId !== undefined })(db).execute({
        ...place,
        participantId,
      })
      return rows.map(toEndpoint)
    },
    { size: 100, start: '', keyOf: ({ id }) => id, limit, offset },
  )

const endpointsAfter = variants(
  ({ hasParticipant }: { hasParticipant: boolean }) =>
    (db) =>
      db
        .select()
        .from(endpoints)
        .where(
          and(
            gt(endpoints.id, param('after')),
            hasParticipant ? eq(endpoints.participantId, param('participantId')) : undefined,
          ),
        )
        .orderBy(asc(endpoints.id))
        .limit(param('limit'))
        .offset(param('offset')),
)

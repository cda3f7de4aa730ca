import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { sampleNoteRecords, toSampleNote } from './sample-notes'
import { After, SampleNoteChanges } from './sample-notes.model'

/** For the other services only: what their replicas follow. */
export const internalSampleNoteRoutes = ({ store, identity }: TransactionManagerDeps) =>
  new Elysia({ prefix: '/internal/sample-notes', detail: { hide: true } }).get(
    '/changes',
    async ({ request, query }) => {
      await requireService(identity, request)
      return await sampleNoteRecords.pageAfter(store.read, query.after, toSampleNote)
    },
    { query: After, response: { 200: response(SampleNoteChanges) } },
  )

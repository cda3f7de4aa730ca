import { service } from '@bursar/http'
import type { TransactionManagerDeps } from './deps'
import { internalSampleNoteRoutes } from './sample-notes/internal-sample-notes.routes'
import { sampleNoteRoutes } from './sample-notes/sample-notes.routes'

/** The transaction-manager service: sample notes. */
export const createApp = (deps: TransactionManagerDeps) =>
  service({
    ...deps,
    name: 'transaction-manager',
    description: 'Sample notes.',
    shape: 'object',
    tags: { 'Sample notes': 'Sample notes, oldest first' },
  })
    .use(sampleNoteRoutes(deps))
    .use(internalSampleNoteRoutes(deps))

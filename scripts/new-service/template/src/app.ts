import { type Deps, service } from '@bursar/http'
import { sampleNoteRoutes } from './sample-notes/sample-notes.routes'

/** The transaction-manager service: sample notes. */
export const createApp = (deps: Deps) =>
  service({
    ...deps,
    name: 'transaction-manager',
    description: 'Sample notes.',
    shape: 'object',
    tags: { 'Sample notes': 'Sample notes, newest first' },
  }).use(sampleNoteRoutes(deps))

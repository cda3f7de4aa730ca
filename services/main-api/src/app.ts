import { service } from '@bursar/http'
import type { MainApiDeps } from './deps'

/** The main API (spec 3, Main API): administration, participant institutions (PFI) and custodian banks. */
export const createApp = (deps: MainApiDeps) =>
  service({
    ...deps,
    name: 'main-api',
    description: 'Administration, participant institutions (PFI) and custodian banks.',
    shape: 'object',
    tags: {},
  })

import { failCommon } from '../errors/errors'
import { healthPaths } from '../observe/health'
import type { Identity } from '../peers/identity'
import { pathOf } from './prefix'

interface AdmissionOptions {
  internalAuth?: 'optional' | 'required'
  identity?: Identity
}

/**
 * With INTERNAL_AUTH=required: refuses requests without a valid identity token, except `/health`, as at the gateway
 * (decisions, Gateway). Undefined where no identity is required.
 */
export function admission({ internalAuth, identity }: AdmissionOptions) {
  if (internalAuth !== 'required') return undefined
  if (!identity) throw new Error('INTERNAL_AUTH=required needs an identity to verify callers with')
  return async (request: Request, url: string): Promise<void> => {
    if (healthPaths.has(pathOf(url))) return
    const caller = await identity.read(request)
    if (!caller)
      throw failCommon('UNAUTHORIZED', { message: 'This service answers only callers with a valid x-identity' })
  }
}

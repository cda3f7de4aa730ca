import type { ServiceName } from '@bursar/contracts/services'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type Identity, requireService } from '../peers/identity'
import { queryInteger } from './query'

/**
 * Routes that other services of the deployment may call, or those of `from` alone, and nobody else (401). They are in no
 * OpenAPI document. Without a prefix their paths are those of the contract, which begin with `/internal`.
 */
export const internalRoutes = <const P extends '' | `/internal${string}`>(
  identity: Identity,
  prefix: P,
  from?: readonly ServiceName[],
) =>
  new Elysia({ prefix, detail: { hide: true } }).onBeforeHandle(async ({ request }) => {
    await requireService(identity, request, from)
  })

/** The query of a changes call (contracts/replica.ts). */
export const ChangesQuery = Type.Object({ after: queryInteger({ minimum: 0, default: 0 }) })

import { Kind, type Static, type TSchema, Type } from '@sinclair/typebox'
import { production } from '../settings/config'

/**
 * A response schema. In development and tests every answer is checked by it (one that breaks it is a 500); in
 * production, where that would cost a fifth of a list's speed, it only types the handler and documents the route.
 */
export const response = <S extends TSchema>(schema: S) =>
  production ? Type.Unsafe<Static<S>>({ [Kind]: 'Any', 'x-answer': schema }) : Type.Unsafe<Static<S>>(schema)

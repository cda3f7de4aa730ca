import { Elysia } from 'elysia'
import type { ServiceOptions } from './service'
export const docs = (_options: ServiceOptions, _app: () => unknown) => new Elysia()

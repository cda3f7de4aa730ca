// The packed client has the types themselves here (build/pack.ts).
export type { components, paths, webhooks } from '#api'

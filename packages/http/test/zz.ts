import { t } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import { sampleApp } from './sample-app'

const { app } = sampleApp('reason')
const a = app
  .guard({ params: t.Object({ g: t.String() }), tags: ['G'] }, (x) =>
    x.get('/guarded/:g', () => 1, { detail: { summary: 'x' } }),
  )
  .use(
    new Elysia({ prefix: '/w', tags: ['W'] })
      .guard({ query: t.Object({ q: t.String() }) })
      .get('/k', () => 1)
      .ws('/s', { message() {} }),
  )
for (const r of a.routes)
  console.log(
    r.method,
    r.path,
    Object.keys(r.hooks),
    JSON.stringify(r.hooks.detail),
    Object.keys(r.hooks.params?.properties ?? {}),
    Object.keys(r.hooks.query?.properties ?? {}),
    Object.keys(r),
    r.hooks.standaloneValidator,
  )

import { lintOpenApi } from '@bursar/testing/lint-openapi'
import { sampleApp, send } from './sample-app'

for (const shape of ['reason', 'envelope', 'strings'] as const) {
  const { app } = sampleApp(shape)
  const r = await send(app, 'GET', '/v1/swagger/json')
  if (shape === 'reason') console.log(r.status, JSON.stringify(r.body, null, 1))
  console.log(JSON.stringify(await lintOpenApi(r.text), null, 1))
}

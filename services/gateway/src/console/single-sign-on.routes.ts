import { nullable, t } from '@bursar/contracts/schema'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { arrivalOf } from '../console-sessions/arrivals'
import { clearSignOnCookie, setSignOnCookie } from '../console-sessions/cookie'
import { requireOwnPage } from '../console-sessions/own-page'
import type { GatewayDeps } from '../deps'
import { CodeAsked, ConsoleSession } from './session.model'
import { cookiesOf, sessionHelp } from './session.routes'
import { beginSignOn, completeSignOn, signOnName } from './single-sign-on'

const Begin = t.Object({ fresh: t.Optional(t.Boolean()) }, { title: 'ConsoleSignOn' })
const Return = t.Object({ query: t.String({ minLength: 1, maxLength: 8192 }) }, { title: 'ConsoleSignOnReturn' })

/** Console sessions by single sign-on through the deployment's identity provider. */
export function singleSignOnRoutes(deps: GatewayDeps) {
  const { shown } = sessionHelp(deps)
  return new Elysia({ prefix: '/console/api/session/single-sign-on', detail: { hide: true } })
    .get(
      '/',
      async ({ request }) => {
        requireOwnPage(request)
        return { name: await signOnName(deps, request, arrivalOf(deps, request)) }
      },
      { response: { 200: response(t.Object({ name: nullable(t.String()) })) } },
    )
    .post(
      '/',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        const { url, attempt, expiresIn } = await beginSignOn(deps, request, arrivalOf(deps, request), body)
        set.headers['set-cookie'] = setSignOnCookie(attempt, expiresIn)
        return { url }
      },
      { body: Begin, response: { 200: response(t.Object({ url: t.String() })) } },
    )
    .post(
      '/return',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        const begun = await completeSignOn(deps, request, arrivalOf(deps, request), body)
        if (!('session' in begun)) {
          set.headers['set-cookie'] = clearSignOnCookie
          return begun
        }
        set.headers['set-cookie'] = [...cookiesOf(begun), clearSignOnCookie] as never
        return await shown(begun.session)
      },
      { body: Return, response: { 200: response(t.Union([ConsoleSession, CodeAsked])) } },
    )
}

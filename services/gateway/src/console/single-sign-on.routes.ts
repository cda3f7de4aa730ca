import { nullable, t } from '@bursar/contracts/schema'
import { SignOnBegun, SignOnState } from '@bursar/contracts/single-sign-on'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { clearSignOnCookie, setSignOnCookie } from '../console-sessions/cookie'
import { requireOwnPage } from '../console-sessions/own-page'
import type { GatewayDeps } from '../deps'
import { askFor } from './ask-identity'
import { requireTls } from './log-in'
import { CodeAsked, ConsoleSession } from './session.model'
import { cookiesOf, sessionHelp } from './session.routes'
import { completeSignOn } from './single-sign-on'

const path = '/auth/single-sign-on'
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
        const { data } = await askFor(deps, { request, method: 'GET', path }, SignOnState)
        return { name: data?.name ?? null }
      },
      { response: { 200: response(t.Object({ name: nullable(t.String()) })) } },
    )
    .post(
      '/',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        requireTls(deps, request)
        const { data } = await askFor(deps, { request, path: `${path}/begin`, body }, SignOnBegun)
        set.headers['set-cookie'] = setSignOnCookie(data.attempt, data.expiresIn)
        return { url: data.url }
      },
      { body: Begin, response: { 200: response(t.Object({ url: t.String() })) } },
    )
    .post(
      '/return',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        const begun = await completeSignOn(deps, request, body)
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

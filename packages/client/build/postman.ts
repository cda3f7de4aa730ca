import type { GatewayDocument, Operation, Parameter, Schema } from './gateway-document'
import { parametersOf, resolved } from './gateway-document'

/** An item of a Postman collection: a folder, or a request. */
type Item = { name: string } & ({ item: Item[] } | { request: object; event?: object[] })

const variable = (key: string, value: string) => ({ key, value })

/**
 * A collection of every operation, in Postman's format 2.1, which Bruno and Insomnia import as well: by service and tag, with
 * the examples of the document. It has no descriptions, so that it changes with the routes alone.
 */
export function postmanCollection(document: GatewayDocument): object {
  const folders = new Map<string, Map<string, Item[]>>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [service = '', tag = ''] = (operation.tags?.[0] ?? '').split(': ')
      const tags = folders.get(service) ?? new Map<string, Item[]>()
      folders.set(service, tags.set(tag, [...(tags.get(tag) ?? []), itemOf(document, path, method, operation)]))
    }
  }
  const folder = ([name, items]: [string, Item[]]): Item => ({ name, item: items })
  return {
    info: {
      name: 'Bursar',
      description: 'Every operation of the gateway. Set apiKey, or send "Log in": it sets accessToken.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [variable('baseUrl', 'http://127.0.0.1:4000'), variable('apiKey', ''), variable('accessToken', '')],
    item: [...folders].map(([service, tags]) => folder([service, [...tags].sort(byName).map(folder)])).sort(byItemName),
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)
const byItemName = (one: Item, other: Item): number => (one.name < other.name ? -1 : 1)

function itemOf(document: GatewayDocument, path: string, method: string, operation: Operation): Item {
  const parameters = parametersOf(document, operation)
  const inPlace = (place: string) => parameters.filter((each) => each.in === place)
  const keys = inPlace('header').some(({ name }) => name === 'Idempotency-Key')
  const { auth, headers } = credentialsOf(operation)
  const body = bodyOf(document, operation)
  const parts = path.slice(1).replaceAll(/\{([^}]+)\}/g, ':$1')
  const request = {
    method: method.toUpperCase(),
    auth,
    header: [
      ...headers,
      ...(keys ? [variable('Idempotency-Key', '{{$guid}}')] : []),
      ...(body.mode === 'raw' ? [json] : []),
    ],
    url: {
      raw: `{{baseUrl}}/${parts}`,
      host: ['{{baseUrl}}'],
      path: parts.split('/'),
      variable: inPlace('path').map((each) => variable(each.name, exampleOf(each))),
      query: inPlace('query').map((each) => ({
        ...variable(each.name, exampleOf(each)),
        disabled: each.required !== true,
      })),
    },
    ...(body.mode === 'none' ? {} : { body }),
  }
  const name = operation.summary ?? `${method.toUpperCase()} ${path}`
  return path.endsWith('/auth/login') ? { name, event: [keepsToken], request } : { name, request }
}

const exampleOf = ({ example }: Parameter): string => (example === undefined ? '' : String(example))

/** The first way to call that the document names. */
function credentialsOf({ security = [] }: Operation) {
  const ways = security.map((way) => Object.keys(way))
  const token = { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] }
  if (ways.length === 0) return { auth: { type: 'noauth' }, headers: [] }
  const key = [variable('X-API-KEY', '{{apiKey}}')]
  if (ways.some((way) => way.length === 1 && way[0] === 'apiKey')) return { auth: { type: 'noauth' }, headers: key }
  return { auth: token, headers: ways.some((way) => way.includes('apiKey')) ? key : [] }
}

/** A script of Postman: later requests send the token of the log-in. */
const keepsToken = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      'const { data } = pm.response.json()',
      "if (data && data.accessToken) pm.collectionVariables.set('accessToken', data.accessToken)",
    ],
  },
}

const json = variable('Content-Type', 'application/json')

function bodyOf(document: GatewayDocument, { requestBody }: Operation): { mode: 'none' | 'formdata' | 'raw' } {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {})
  if (type === undefined || !media) return { mode: 'none' }
  if (type.startsWith('multipart/')) {
    const { properties = {} } = resolved(document, media.schema ?? {})
    const formdata = Object.entries(properties).map(([key, schema]) => ({
      key,
      type: isFile(schema) ? 'file' : 'text',
    }))
    return { mode: 'formdata', ...{ formdata } }
  }
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value ?? {}
  return { mode: 'raw', ...{ raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } } }
}

const isFile = ({ format, contentMediaType }: Schema): boolean => format === 'binary' || contentMediaType !== undefined

// AUTHORIZATION=roles on the platform as it runs: an institution names what belongs to another in every parameter of
// every query, and in every field of every body, that it may use.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exampleNames } from '@bursar/contracts/examples'
import type { ServiceName } from '@bursar/contracts/services'
import { findRule } from '../../services/gateway/src/access/find-rule'
import { needsOf } from '../../services/gateway/src/access/needs'
import type { Named, Who } from '../../services/gateway/src/access/rules'
import { institutionAt, type Objects, objectsOf, pay } from './gateway-role-objects'
import { type Asked, pathOf, type ThroughGateway, throughGateway } from './through-gateway'

type Role = Extract<Who, 'participant-admin' | 'custodian-admin'>
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
}

let whole: ThroughGateway
let asked: Asked[]
let own: Objects
let foreign: Objects
/** Accounts of the other institution itself. */
let others: Record<'omnibus' | 'feePayer', string>
const credentials = {} as Record<Role, Record<string, string>>

beforeAll(async () => {
  whole = await throughGateway({ AUTHORIZATION: 'roles' })
  const { platform } = whole
  const banks: string[] = []
  for (const name of ['First Keeping', 'Second Keeping']) {
    const bank = { name, country: 'US', services: ['SETTLEMENT'] }
    banks.push((await platform.to('main-api').create<{ id: string }>('/admin/custodian-bank', bank)).id)
  }
  const [bank = '', otherBank = ''] = banks
  const first = await institutionAt(platform, bank, 'First')
  const second = await institutionAt(platform, otherBank, 'Second')
  own = await objectsOf(whole, first, bank)
  foreign = await objectsOf(whole, second, otherBank)
  await pay(platform, own, foreign)
  const ofSecond = async (type: string) =>
    (await platform.to('account').get(`/accounts/${type}`, { 'x-api-key': second.key })).body.id as string
  others = { omnibus: await ofSecond('omnibus'), feePayer: await ofSecond('fee-payer') }
  await platform.settle()
  credentials['participant-admin'] = {
    authorization: await whole.bearer({ roles: ['participant-admin'], participantId: first.id }),
    'x-api-key': first.key,
  }
  credentials['custodian-admin'] = {
    authorization: await whole.bearer({ roles: ['custodian-admin'], custodianId: bank }),
  }
  asked = await whole.operations()
})
afterAll(() => whole?.close())

/** What the caller may use, and the objects that it must name. */
function allowed(role: Role): { each: Asked; names: readonly Named[] }[] {
  return asked.flatMap((each) => {
    const target = { service: each.service, path: each.route, query: '' }
    if (needsOf(target, each.method) === 'nothing') return []
    const { rule } = findRule(target, each.method)
    const ownRule = rule.own?.find(({ who }) => who.includes(role))
    return rule.any.includes(role) || ownRule ? [{ each, names: ownRule?.named ?? [] }] : []
  })
}

/** The seeded objects of an example, as the caller's own. */
function asOwn<T>(value: T): T {
  const { ids } = whole
  const instead: [string | undefined, string][] = [
    ...[ids.account, ids.otherAccount, ids.portfolioAccount].map((id): [string | undefined, string] => [
      id,
      own.account,
    ]),
    ...[ids.participant, ids.pfi].map((id): [string | undefined, string] => [id, own.participant]),
    [ids.customer, own.customer],
    [ids.payerBank, own.bankAccount],
    [ids.payeeBank, foreign.bankAccount],
    [ids.paymentToCancel, own.paymentOfPayer],
    [ids.custodianBank, own.custodianBank],
    [exampleNames.customer, own.customerExternalId],
  ]
  const text = JSON.stringify(value) ?? 'null'
  return JSON.parse(instead.reduce((filled, [id, by]) => (id ? filled.replaceAll(id, by) : filled), text))
}

function pathFor(each: Asked, names: readonly Named[], query: Readonly<Record<string, string>> = {}): string {
  const inPath = names.filter(({ place }) => place === 'path').map(({ name, kind }) => [name, own[kind]])
  const ownQuery = names.filter(({ place }) => place === 'query').map(({ name, kind }) => [name, own[kind]])
  const parameters = each.parameters.filter((parameter) => parameter.in === 'path')
  const path = pathOf({ ...each, parameters }, Object.fromEntries(inPath)).replaceAll(/\{\w+\}/g, own.participant)
  return `${path}?${new URLSearchParams({ ...Object.fromEntries(ownQuery), ...query })}`
}

/** What belongs to the other alone: not what both have part in, and what anybody may know. */
const secrets = () => {
  const { participant, participantAtBank, custodianBank, paymentOfPayer, bankAccount, ...rest } = foreign
  return [...Object.values(rest), ...Object.values(others)]
}

const isWord = ({ in: place, schema }: Asked['parameters'][number]) =>
  place === 'query' && !/"type":"(integer|number|boolean)|"enum"|"const"|"format":"date/.test(JSON.stringify(schema))

const roles: Role[] = ['participant-admin', 'custodian-admin']

test.each(roles)('%s: no parameter of a query finds what is another’s', async (role) => {
  const seen: string[] = []
  let count = 0
  const values = [...new Set([...Object.values(foreign), others.omnibus, 'Second'])]
  for (const { each, names } of allowed(role).filter(({ each: { method } }) => method === 'GET')) {
    const ask = (path: string) => whole.send({ method: 'GET', path, body: undefined, headers: {} }, credentials[role])
    // What the list has anyway, such as the other side of an own payment; other tests hold what that may be.
    const { text: shown } = await ask(pathFor(each, names))
    for (const { name } of each.parameters.filter(isWord)) {
      const forms = name.startsWith('filter[') ? values.map((value) => `eq:${value}`) : values
      for (const value of forms) {
        const path = pathFor(each, names, { [name]: value })
        const { status, text } = await ask(path)
        count += 1
        const found = secrets().filter((id) => text.includes(id) && !value.includes(id) && !shown.includes(id))
        if (status >= 500 || found.length > 0) seen.push(`${path}: ${status} ${text.slice(0, 300)}`)
      }
    }
  }
  expect(seen).toEqual([])
  expect(count).toBeGreaterThan(role === 'participant-admin' ? 300 : 20)
})

interface Field {
  at: readonly string[]
  body: (value: string) => unknown
}

/** The places of a body that name something: those of its example, and those that its schema has besides. */
function fieldsOf(example: unknown, schema: Schema | undefined, at: readonly string[] = []): Field[] {
  if (Array.isArray(example)) {
    return example.flatMap((item, i) =>
      fieldsOf(item, undefined, [...at, `${i}`]).map((field) => ({
        ...field,
        body: (value: string) => example.with(i, field.body(value)),
      })),
    )
  }
  if (typeof example !== 'object' || example === null) return []
  const names = new Set([...Object.keys(example), ...Object.keys(schema?.properties ?? {})])
  return [...names].flatMap((name) => {
    const known = (example as Record<string, unknown>)[name]
    const here = [...at, name]
    const inside = fieldsOf(known, undefined, here).map((field) => ({
      ...field,
      body: (value: string) => ({ ...example, [name]: field.body(value) }),
    }))
    const isText =
      typeof known === 'string' || (known === undefined && /"string"/.test(JSON.stringify(schema?.properties?.[name])))
    if (!isText || !/(?:id|ids|reference|account|owner)$/i.test(name)) return inside
    return [{ at: here, body: (value: string) => ({ ...example, [name]: value }) }]
  })
}

/** Of a route's body, by the document of its service. */
async function schemasOf(): Promise<(each: Asked) => Schema | undefined> {
  const documents = new Map<ServiceName, Record<string, never>>()
  for (const name of whole.behind) {
    documents.set(name, (await (await fetch(`${whole.platform.url(name)}/v1/swagger/json`)).json()) as never)
  }
  return ({ service, method, route }) => {
    const document = documents.get(service) as never as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema?: Schema }> } }>>
      components: { schemas: Record<string, Schema> }
    }
    const schema = document.paths[route]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
    return schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  }
}

const meant = [
  // A text of the caller's own.
  'account: POST /accounts accountExternalId',
  // Of its own orders, while its account has coins.
  'blockchain: POST /transactions/withdraw transactionId',
  'blockchain: POST /transactions/transfer transactionId',
  'blockchain: POST /transactions/reference/withdraw transactionId',
  'blockchain: POST /transactions/reference/transfer transactionId',
  'customer: POST /customers externalId',
  'participant: PATCH /participants/{id} authConsumerId',
  'participant: PUT /participants/{id} authConsumerId',
  'sanctions: POST /sanctions/verify-address externalId',
  'sanctions: POST /sanctions/verify-transaction externalId',
  'transaction-manager: POST /deposit reference',
  'transaction-manager: POST /do-deposit reference',
  'transaction-manager: POST /transfer reference',
  'transaction-manager: POST /withdrawal reference',
  // Public on its chain.
  'sanctions: POST /sanctions/verify-transaction transactionId',
  // Somebody else is meant: a bank to choose, a receiver.
  'main-api: POST /aml-engine custodianBankId',
  'main-api: POST /participants/{id}/accounts custodianBankId',
  'message: POST /messages participantId',
  'transaction-manager: POST /transfer toParticipantBankId',
  // Of its own deliveries those to that endpoint: none.
  'webhook: POST /webhooks/delivery/replay-failed endpointId',
]

test.each(roles)('%s: no field of a body acts on what is another’s', async (role) => {
  const schemaOf = await schemasOf()
  const taken = new Set<string>()
  const failed: string[] = []
  const values = [...new Set([...Object.values(foreign), ...Object.values(others)])]
  const acts = allowed(role).filter(({ each: { method } }) => method !== 'GET' && method !== 'DELETE')
  // By its own record an institution may lose its customers.
  const isOfRecord = ({ each }: (typeof acts)[number]) => Number(each.service === 'participant')
  for (const { each, names } of acts.sort((one, other) => isOfRecord(one) - isOfRecord(other))) {
    const named = names.filter(({ place }) => place === 'body')
    const example = {
      ...asOwn(each.body as object),
      ...Object.fromEntries(named.slice(0, 1).map(({ name, kind }) => [name, own[kind]])),
    }
    for (const field of fieldsOf(example, schemaOf(each))) {
      for (const value of values) {
        const request = {
          method: each.method,
          path: pathFor(each, names),
          body: field.body(value),
          headers: each.headers,
        }
        const { status, text } = await whole.send(request, credentials[role])
        if (status < 300) taken.add(`${each.service}: ${each.method} ${each.route} ${field.at.join('.')}`)
        if (status >= 500)
          failed.push(`${each.method} ${each.route} ${JSON.stringify(request.body)}: ${status} ${text}`)
      }
    }
  }
  const customers = [{ externalId: own.customerExternalId, status: 'active' }]
  await whole.platform.to('participant').patch(`/participants/${own.participant}`, { customers })
  expect(failed).toEqual([])
  expect([...taken].filter((field) => !meant.includes(field))).toEqual([])
  // A custodian bank may write little, and of that the other role may have taken the texts.
  if (role === 'participant-admin') expect(taken.size).toBeGreaterThan(8)
})

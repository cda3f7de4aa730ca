import { afterEach, describe, expect, test } from 'bun:test'
import type { Handler, LocalServer } from '@bursar/testing'
import { ListError } from '../src/lists'
import { clientOf, gateway, refusal } from './gateway'

let server: LocalServer
afterEach(() => server?.stop())

const all = Array.from({ length: 7 }, (_, index) => ({ id: `id-${index}` }))
const queryOf = (request: Request) => new URL(request.url).searchParams
const number = (query: URLSearchParams, name: string) => Number(query.get(name))

/** The lists of the platform, each by its own way. */
const serving: Record<string, Handler> = {
  after: (request) => {
    const query = queryOf(request)
    const start = query.has('after') ? all.findIndex(({ id }) => id === query.get('after')) + 1 : 0
    return Response.json(all.slice(start, start + number(query, 'limit')))
  },
  afterDelivery: (request) => {
    const query = queryOf(request)
    const start = query.has('after') ? all.findIndex(({ id }) => id === query.get('after')) + 1 : 0
    const deliveries = all.slice(start, start + number(query, 'limit')).map(({ id }) => ({ deliveryId: id }))
    return Response.json({ count: deliveries.length, limit: number(query, 'limit'), deliveries })
  },
  offset: (request) => {
    const query = queryOf(request)
    const offset = number(query, 'offset')
    const data = all.slice(offset, offset + number(query, 'limit'))
    return Response.json({ data, pageInfo: { limit: number(query, 'limit'), offset, total: all.length } })
  },
  offsetOfPages: (request) => {
    const query = queryOf(request)
    const start = number(query, 'offset') * number(query, 'limit')
    const data = all.slice(start, start + number(query, 'limit'))
    return Response.json({ data, pagination: { total: 7, offset: 0, limit: 3, hasMore: start + data.length < 7 } })
  },
  page: (request) => {
    const query = queryOf(request)
    const start = (number(query, 'page') - 1) * number(query, 'pageSize')
    return Response.json(all.slice(start, start + number(query, 'pageSize')))
  },
}

const gather = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const each of list) found.push(each)
  return found
}
const paths = () => server.requests.map(({ path }) => path.split('?')[1])

describe('every record once, by', () => {
  test.each([3, 7, 100, 1])('the id of the last one, %d a page', async (limit) => {
    server = gateway(serving.after as Handler)
    const found = await gather(clientOf(server.url).list('/core/v1/transactions', { params: { query: { limit } } }))
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(paths().slice(0, 2)).toEqual(
      limit < 8 ? [`limit=${limit}`, `limit=${limit}&after=id-${limit - 1}`] : ['limit=100'],
    )
  })

  test('the id of the last one, a usual page where the size is left open', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: `id-${index}` }))
    server = gateway((request) => {
      const query = queryOf(request)
      const start = query.has('after') ? many.findIndex(({ id }) => id === query.get('after')) + 1 : 0
      return Response.json(many.slice(start, start + number(query, 'limit')))
    })
    const query = { limit: undefined, after: undefined, status: undefined }
    const found = await gather(clientOf(server.url).list('/core/v1/transactions', { params: { query } } as never))
    expect(found).toEqual(many as never)
    expect(paths()).toEqual(['limit=100', 'limit=100&after=id-99', 'limit=100&after=id-199'])
  })

  test('the id of the last one, from an offset on', async () => {
    server = gateway((request) => {
      const query = queryOf(request)
      const start = query.has('after') ? all.findIndex(({ id }) => id === query.get('after')) + 1 : 0
      const from = start + number(query, 'offset')
      return Response.json(all.slice(from, from + number(query, 'limit')))
    })
    const list = clientOf(server.url).list('/core/v1/transactions', { params: { query: { limit: 2, offset: 1 } } })
    expect((await gather(list)).map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id))
    expect(paths()).toEqual(['limit=2&offset=1', 'limit=2&after=id-2', 'limit=2&after=id-4', 'limit=2&after=id-6'])
  })

  test.each([{ search: 'Lakeside' }, { sortBy: 'amount' }] as const)(
    'the number of records before it, where none has a place by its id: %j',
    async (by) => {
      server = gateway(serving.offset as Handler)
      const query = { limit: 4, ...by }
      const found = await gather(clientOf(server.url).list('/transactions/v1/transactions', { params: { query } }))
      expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
      const [words] = Object.entries(by).map(([name, value]) => `${name}=${value}`)
      expect(paths()).toEqual([`limit=4&${words}&offset=0`, `limit=4&${words}&offset=4`])
    },
  )

  test('the id of the last delivery', async () => {
    server = gateway(serving.afterDelivery as Handler)
    const list = clientOf(server.url).list('/webhook/v1/webhooks/deliveries', { params: { query: { limit: 3 } } })
    expect((await gather(list)).map(({ deliveryId }) => deliveryId)).toEqual(all.map(({ id }) => id))
    expect(paths()).toEqual(['limit=3', 'limit=3&after=id-2', 'limit=3&after=id-5'])
  })

  test('the number of records before it', async () => {
    server = gateway(serving.offset as Handler)
    const list = clientOf(server.url).list('/quote/v1/assets', { params: { query: { limit: 3 } } })
    expect((await gather(list)).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(paths()).toEqual(['limit=3&offset=0', 'limit=3&offset=3', 'limit=3&offset=6'])
  })

  test('the number of pages before it', async () => {
    server = gateway(serving.offsetOfPages as Handler)
    const list = clientOf(server.url).list('/tracker/v1/log-messages', { params: { query: { limit: 3 } } })
    expect((await gather(list)).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(paths()).toEqual(['limit=3&offset=0', 'limit=3&offset=1', 'limit=3&offset=2'])
  })

  test('its page', async () => {
    server = gateway(serving.page as Handler)
    const list = clientOf(server.url).list('/api/v1/core/transactions', { params: { query: { pageSize: 3, page: 2 } } })
    expect((await gather(list)).map(({ id }) => id)).toEqual(all.slice(3).map(({ id }) => id))
    expect(paths()).toEqual(['pageSize=3&page=2', 'pageSize=3&page=3'])
  })
})

test('a page is asked for when its first record is needed, with 100 records', async () => {
  server = gateway(serving.after as Handler)
  const list = clientOf(server.url).list('/core/v1/transactions', { params: { query: { status: 'FROZEN' } } })
  expect(server.requests).toHaveLength(0)
  await list.next()
  expect(paths()).toEqual(['limit=100&status=FROZEN'])
})

test('a page that fails ends the list with its error, after the records before it', async () => {
  server = gateway(serving.after as Handler, () => Response.json(refusal('FORBIDDEN'), { status: 403 }))
  const found: unknown[] = []
  const read = async () => {
    const list = clientOf(server.url).list('/core/v1/transactions', { params: { query: { limit: 3 } } })
    for await (const each of list) found.push(each)
  }
  await expect(read()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(found).toHaveLength(3)
})

describe('pages that make no list', () => {
  const two = { params: { query: { limit: 2 } } }
  const pagesOf =
    (...pages: unknown[]): Handler =>
    () => {
      const [page] = pages.length > 1 ? pages.splice(0, 1) : pages
      return Response.json(page)
    }

  test('the same page for ever', async () => {
    server = gateway(pagesOf([{ id: 'a' }, { id: 'b' }]))
    await expect(gather(clientOf(server.url).list('/core/v1/transactions', two))).rejects.toThrow(ListError)
    expect(server.requests).toHaveLength(2)
  })

  test('pages in a circle', async () => {
    const [a, b] = [
      [{ id: 'a' }, { id: 'b' }],
      [{ id: 'c' }, { id: 'd' }],
    ]
    server = gateway(pagesOf(a, b, a, b))
    await expect(gather(clientOf(server.url).list('/core/v1/transactions', two))).rejects.toThrow('has come again')
    expect(server.requests).toHaveLength(3)
  })

  test('a total that is never reached', async () => {
    const data = [{ id: 'a' }, { id: 'b' }]
    server = gateway(pagesOf({ data, pageInfo: { limit: 2, offset: 0, total: 1e9 } }))
    await expect(gather(clientOf(server.url).list('/quote/v1/assets', two))).rejects.toThrow(ListError)
    expect(server.requests).toHaveLength(2)
  })

  test('a total beyond an empty page', async () => {
    server = gateway(pagesOf({ data: [], pageInfo: { limit: 2, offset: 0, total: 5 } }))
    expect(await gather(clientOf(server.url).list('/quote/v1/assets', two))).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  test('all records, however many were asked for', async () => {
    server = gateway(pagesOf(all))
    expect(await gather(clientOf(server.url).list('/core/v1/transactions', two))).toHaveLength(7)
    expect(server.requests).toHaveLength(1)
  })

  test('more pages that are empty', async () => {
    server = gateway(pagesOf({ data: [], pagination: { total: 5, offset: 0, limit: 2, hasMore: true } }))
    expect(await gather(clientOf(server.url).list('/tracker/v1/log-messages', two))).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    [[{ id: 'a' }, {}]],
    [[{ id: 'a' }, { id: 7 }]],
    [[{ id: 'a' }, { id: '' }]],
    [['a', 'b']],
    [[null, null]],
  ])('a last record without an id: %j', async (page) => {
    server = gateway(pagesOf(page))
    await expect(gather(clientOf(server.url).list('/core/v1/transactions', two))).rejects.toThrow('has no id')
  })

  test.each([null, 'x', 7, {}, { data: 'x' }, { data: [], other: [] }])('no list: %j', async (page) => {
    server = gateway(pagesOf(page))
    await expect(gather(clientOf(server.url).list('/quote/v1/assets', two))).rejects.toThrow('is no list')
  })

  test('an id that is a path stays a value', async () => {
    server = gateway(pagesOf([{ id: 'a' }, { id: '../../identity?x=1&after=z#' }], []))
    expect(await gather(clientOf(server.url).list('/core/v1/transactions', two))).toHaveLength(2)
    expect(paths()[1]).toBe('limit=2&after=..%2F..%2Fidentity%3Fx%3D1%26after%3Dz%23')
  })
})

// A master of Redis dies and its replica takes its place, by a Sentinel or in a cluster: no event is lost, and each is acted on once.
import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { hasRedisServer, until } from '@bursar/testing'
import { clusterGroup, type RedisGroup, sentinelGroup } from '@bursar/testing/redis-groups'
import { openSharedBuckets } from '../../services/gateway/src/limits/redis-buckets'
import { act, actionsOf, type Running, twoServices, upTo } from './fixture/two-services'

/** The key that all keys of the consumer's queue share a node with. */
const queue = '{quote}'

async function withServices(group: RedisGroup, story: (services: Story) => Promise<void>): Promise<void> {
  const services = twoServices(group)
  const producer = await services.startProducer()
  const running: Running[] = [producer]
  let acted = 0
  try {
    await story({
      group,
      async actMore(count) {
        for (let n = 0; n < count; n++) await act(producer.deps.store, acted++)
      },
      published: () =>
        until(() => producer.deps.relay.depth() === 0, { what: 'the events to be published' }).then(() => {}),
      async startConsumer() {
        const consumer = await services.startConsumer()
        running.push(consumer)
        return consumer
      },
      async expectAllAt({ deps: { store } }) {
        await until(async () => (await actionsOf(store)).length >= acted, { what: 'the events at the consumer' })
        expect(await actionsOf(store)).toEqual(upTo(acted))
      },
    })
  } finally {
    await Promise.all(running.map(({ stop }) => stop()))
    await group.stop()
  }
}

interface Story {
  group: RedisGroup
  actMore(count: number): Promise<void>
  published(): Promise<void>
  startConsumer(): Promise<Running>
  expectAllAt(consumer: Running): Promise<void>
}

if (!hasRedisServer()) console.log('Failovers of Redis are not tested: no redis-server is installed here')

describe.skipIf(!hasRedisServer()).each([
  ['a Sentinel', () => sentinelGroup()],
  ['a cluster', clusterGroup],
])('with %s', (_, start) => {
  test('a master that dies while events flow loses none', async () => {
    await withServices(await start(), async ({ group, actMore, startConsumer, expectAllAt }) => {
      const consumer = await startConsumer()
      await actMore(20)
      await expectAllAt(consumer)
      await actMore(20)
      await group.killMaster(queue)
      await actMore(20)
      await group.promoted()
      await actMore(20)
      await expectAllAt(consumer)
    })
  })

  test('what the master took and its replica never got is sent again', async () => {
    await withServices(await start(), async ({ group, actMore, published, startConsumer, expectAllAt }) => {
      const before = await startConsumer()
      await actMore(10)
      await expectAllAt(before)
      await before.stop()
      await group.cutReplica(queue)
      await actMore(10)
      await published()
      await group.killMaster(queue)
      await group.promoted()
      await expectAllAt(await startConsumer())
    })
  })

  test('limits that gateways share are shared again by the new master', async () => {
    const group = await start()
    const buckets = openSharedBuckets(group.url, silentLog)
    const policy = { name: 'requests', burst: 100, seconds: 1_000_000 }
    /** One that is answered in time, and how many were asked for: one whose answer came too late may have counted as well. */
    async function takeOne(what: string) {
      let asked = 0
      const take = () => {
        asked += 1
        return buckets.take('caller', policy, 1)
      }
      const { granted, left } = await until(take, { what })
      expect(granted).toBe(1)
      return { left, asked }
    }
    const [first, second] = [await takeOne('the first'), await takeOne('the second')]
    expect(first.left).toBeWithin(100 - first.asked, 100)
    expect(second.left).toBeWithin(first.left - second.asked, first.left)
    await group.killMaster('bursar:limit:requests:caller')
    await group.promoted()
    // Asynchronous replication may have lost the last of it: never more than was there.
    const third = await takeOne('the new master to count')
    expect(third.left).toBeLessThanOrEqual(99)
    const fourth = await takeOne('the new master to count again')
    expect(fourth.left).toBeWithin(third.left - fourth.asked, third.left)
    await buckets.close()
    await group.stop()
  })
})

import { expect, test } from 'bun:test'
import { tempDir } from './temp-dir'
import { startServer, testRedis } from './test-redis'

test('a server whose port another one has does not count as started', async () => {
  const other = await testRedis()
  await expect(startServer(other.port, tempDir())).rejects.toThrow('instead of starting')
  await other.stop()
})

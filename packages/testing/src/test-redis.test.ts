import { expect, setDefaultTimeout, test } from 'bun:test'
import { tempDir } from './temp-dir'
import { startServer, testRedis } from './test-redis'

setDefaultTimeout(180_000)

test('a server whose port another one has does not count as started', async () => {
  const other = await testRedis()
  await expect(startServer(other.port, tempDir())).rejects.toThrow('instead of starting')
  await other.stop()
})

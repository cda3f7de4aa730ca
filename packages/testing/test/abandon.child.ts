import { tempDir, testRedis } from '../src'

const { port } = await testRedis()
process.stdout.write(JSON.stringify({ port, dir: tempDir() }))
await new Promise(() => setInterval(() => {}, 1000))

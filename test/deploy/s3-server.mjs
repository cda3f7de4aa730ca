// An S3 server for tests, run by Node: `node s3-server.mjs <folder>`. Prints its port.
import S3rver from 's3rver'

const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'backups' }],
})
const { port } = await server.run()
console.log(port)

// Types for prom-client's parts, which it has only for the whole.
declare module 'prom-client/lib/gauge' {
  import { Gauge } from 'prom-client'
  export default Gauge
}
declare module 'prom-client/lib/registry' {
  import { Registry } from 'prom-client'
  export default Registry
}

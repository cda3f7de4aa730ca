export { brokenByInheritedNames } from './inherited-names'
export { type Refusals, refusedAs } from './refusals'
export { type Answer, nobody, type Requests, readAnswer, requestsTo, uuidExpected } from './requests'
export { type TestBroker, type TestService, type TestServiceOptions, testService } from './test-service'

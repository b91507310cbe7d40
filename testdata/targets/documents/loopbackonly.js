// A server under test calls no other machine: names other than localhost do not resolve.
const dns = require('dns');
const lookup = dns.lookup;
dns.lookup = (host, options, done) => {
  if (['localhost', '127.0.0.1', '::1'].includes(host)) return lookup(host, options, done);
  const answer = typeof options === 'function' ? options : done;
  process.nextTick(answer, Object.assign(new Error('no other machine is called'), {code: 'ENOTFOUND'}));
};

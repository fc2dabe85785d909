// Arguments: host:port, service. Prints the service's instances at each change, as the client's subscription tells them.
// Commands: "register IP PORT WEIGHT METADATA", "deregister IP PORT", "end".
const { NacosNamingClient } = require('nacos-naming');
const readline = require('readline');

const [address, service] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn: console.error, error: console.error };
const client = new NacosNamingClient({ serverList: address, logger: quiet });
const say = (what) => console.log(JSON.stringify(what));

async function main() {
  await client.ready();
  client.subscribe(service, (hosts) =>
    say({
      instances: hosts.map(({ ip, port, weight, healthy, enabled, metadata }) => ({
        ip,
        port,
        weight,
        healthy,
        enabled,
        metadata,
      })),
    }),
  );
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, ip, port, weight, ...metadata] = line.split(' ');
    if (command === 'register') {
      await client.registerInstance(service, {
        ip,
        port: Number(port),
        weight: Number(weight),
        metadata: JSON.parse(metadata.join(' ')),
      });
    } else if (command === 'deregister') {
      await client.deregisterInstance(service, { ip, port: Number(port) });
    } else {
      break;
    }
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

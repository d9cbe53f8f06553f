// A runtime, a Ray cluster and a bundle on an existing cluster.
package main

import (
	"example.com/pulumi-stackyard/sdk/go/stackyard"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		cluster := stackyard.ExistingClusterArgs{
			Kubeconfig: stackyard.ExistingClusterKubeconfigArgs{Content: settings.RequireSecret("kubeconfig")},
		}
		version, workers := "1.0.0", 1
		if own := settings.Get("version"); own != "" {
			version = own
		}
		if own := settings.GetInt("workers"); own != 0 {
			workers = own
		}

		runtime, err := stackyard.NewKubernetesRuntime(ctx, "shop-runtime", &stackyard.KubernetesRuntimeArgs{
			Cluster:         cluster,
			Namespace:       pulumi.String("team-runtimes"),
			CreateNamespace: pulumi.Bool(true),
			Host:            pulumi.String("https://*.shop.example.com"),
			Image:           pulumi.String("registry.example.com/shop/runtime"),
			Version:         pulumi.String(version),
			Slots:           pulumi.Int(2),
			Ping:            pulumi.String("off"),
		})
		if err != nil {
			return err
		}
		ray, err := stackyard.NewRayCluster(ctx, "main", &stackyard.RayClusterArgs{
			Cluster:     cluster,
			Mode:        stackyard.RayClusterModeStatic,
			Namespace:   pulumi.String("team-ray"),
			Pool:        pulumi.String(""),
			ReservedCpu: pulumi.Int(0),
			WorkerGroups: stackyard.RayClusterWorkerGroupsMap{
				"worker": stackyard.RayClusterWorkerGroupsArgs{Replicas: pulumi.Int(workers)},
			},
		})
		if err != nil {
			return err
		}
		shop, err := stackyard.NewBundle(ctx, "shop", &stackyard.BundleArgs{
			Cluster:         cluster,
			CreateNamespace: pulumi.Bool(true),
			Versions: stackyard.BundleVersionsMap{
				"1.0.0": stackyard.BundleVersionsArgs{
					Sources: pulumi.Array{pulumi.Map{"type": pulumi.String("local"), "path": pulumi.String("shop")}},
				},
			},
		})
		if err != nil {
			return err
		}

		ctx.Export("host", runtime.Host)
		ctx.Export("cpu", runtime.Cpu)
		ctx.Export("address", ray.Endpoint.MapIndex(pulumi.String("address")))
		ctx.Export("digest", shop.Release.MapIndex(pulumi.String("digest")))
		return nil
	})
}

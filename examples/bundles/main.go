// Manifests and a Helm chart, each applied, awaited and deleted as one.
package main

import (
	"example.com/pulumi-stackyard/sdk/go/stackyard"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// content is the only version of a bundle: the folder of its name.
func content(folder string) stackyard.BundleVersionsMap {
	source := pulumi.Map{"type": pulumi.String("local"), "path": pulumi.String(folder)}
	return stackyard.BundleVersionsMap{"1.0.0": stackyard.BundleVersionsArgs{Sources: pulumi.Array{source}}}
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		cluster := stackyard.ExistingClusterArgs{
			Kubeconfig: stackyard.ExistingClusterKubeconfigArgs{Content: settings.RequireSecret("kubeconfig")},
		}

		// Plain manifests, in a namespace that stays when the bundle is removed.
		shared, err := stackyard.NewBundle(ctx, "settings", &stackyard.BundleArgs{
			Cluster:         cluster,
			Namespace:       pulumi.String("team-shop"),
			CreateNamespace: pulumi.Bool(true),
			Versions:        content("settings"),
		})
		if err != nil {
			return err
		}

		// A Helm chart with values. A change that does not become ready is rolled back.
		shop, err := stackyard.NewBundle(ctx, "shop", &stackyard.BundleArgs{
			Cluster:   cluster,
			Namespace: pulumi.String("team-shop"),
			Format:    stackyard.BundleFormatHelm,
			Versions:  content("shop"),
			Values:    pulumi.Map{"replicas": pulumi.Int(settings.RequireInt("replicas"))},
			Rollback:  stackyard.BundleRollbackAuto,
		}, pulumi.DependsOn([]pulumi.Resource{shared}))
		if err != nil {
			return err
		}

		ctx.Export("settings", shared.Release)
		ctx.Export("shop", shop.Release)
		return nil
	})
}
